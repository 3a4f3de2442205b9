const posenc = require("posenc");
const { models } = require("posenc/models");
const transformers = require("posenc/transformers");
const { check } = require("./check.mjs");

check(posenc, { models, transformers }).then((result) => console.log(JSON.stringify(result)));
