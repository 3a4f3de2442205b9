/** Whether dist/ holds all builds, as it is shipped: the quick tier has one of them in the place of all after a change of C++. */
export const isWhole = process.env["POSENC_BUILDS"] !== "one";
