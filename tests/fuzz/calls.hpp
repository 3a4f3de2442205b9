// Calls of each family, chosen and filled in by bytes.
#pragma once

#include "arguments.hpp"
#include "specs.hpp"

namespace posenc::fuzz {

void call_table(Input& input, Table& table);
/// `other`: another rotation, of the same dim where one could be had.
void call_rotation(Input& input, Rotation& rotation, Rotation& other);
void call_bias(Input& input, Bias& bias);
void call_relative(Input& input, Relative& relative);
/// With the encoding inside, whatever it is; null: with none.
void call_attention(Input& input, Learned* encoding);
/// Gradients and steps, and what is in the parameters.
void call_training(Input& input, Learned& encoding);
/// What needs no encoding, and profiles.
void call_others(Input& input, Learned& encoding);

}  // namespace posenc::fuzz
