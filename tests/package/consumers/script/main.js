show(check(posenc));
