const posenc = require("posenc");
const { models } = require("posenc/models");
const { check } = require("./check.mjs");

check(posenc, { models }).then((result) => console.log(JSON.stringify(result)));
