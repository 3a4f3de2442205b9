// Whether the model's weights have come: the buttons of all figures then say that nothing is to load.

class Loaded {
  weights = $state(false);
}

export const loaded = new Loaded();
