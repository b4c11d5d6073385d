// The Renyi divergence of single releases, in closed form. Each is a valid bound for both directions.
#pragma once

namespace dither::accounting {

// Orders are real and above 1 (out-of-range otherwise); parameters finite and not negative. Results are rounded up.
// Cost under 0.5 us.

// Gaussian noise, mu = sensitivity / sigma: order mu^2 / 2.
double gaussian_renyi_up(double order, double mu);
// Randomised response, and every epsilon-DP mechanism:
// ln[(e^(order epsilon) + e^((1 - order) epsilon)) / (1 + e^epsilon)] / (order - 1) (B-11).
double pure_renyi_up(double order, double epsilon);
// Laplace noise, epsilon = sensitivity / scale (B-11, Mironov 2017).
double laplace_renyi_up(double order, double epsilon);
// A loss within [-below, above]: order (above + below)^2 / 8.
double bounded_loss_renyi_up(double order, double above, double below);
// With probability `share` the second of two mechanisms, by a coin that does not depend on the data and stays hidden:
// the divergences at this order mix inside the exponential.
double mixture_renyi_up(double order, double share, double first, double second);

}  // namespace dither::accounting
