show(check(posenc, { hasScalar: location.protocol !== "file:" }));
