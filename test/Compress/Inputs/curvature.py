"""How the loss of a model of one layer bends in what its MLP makes, as NumPy finds it in f64."""

import numpy as np

DAMPING = 1


def backward_norm(x, gains, dy, epsilon):
    """Gradients of what a norm reads from those of what it makes."""
    scale = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon)
    dy = dy * gains
    return scale * (dy - x * scale**2 * (dy * x).mean(-1, keepdims=True))


def gradients_of(model, x, tokens):
    """Of the loss of a story, at the outputs of gate, up and down; x is the stream in front of the MLP."""
    w = model.weights
    at = "model.layers.0.mlp."
    gate, up, down = (w[f"{at}{name}_proj.weight"] for name in ("gate", "up", "down"))
    h = model.norm(x, "model.layers.0.post_attention_layernorm")
    g, u = h @ gate.T, h @ up.T
    sigmoid = 1 / (1 + np.exp(-g))
    y = x + (g * sigmoid * u) @ down.T
    words = w["model.embed_tokens.weight"]
    logits = model.norm(y, "model.norm") @ words.T
    chances = np.exp(logits - logits.max(-1, keepdims=True))
    chances /= chances.sum(-1, keepdims=True)
    chances[np.arange(len(tokens) - 1), tokens[1:]] -= 1
    chances[-1] = 0
    dy = backward_norm(y, w["model.norm.weight"], chances @ words, model.shape["epsilon"])
    dz = dy @ down
    return {"gate": dz * u * sigmoid * (1 + g * (1 - sigmoid)), "up": dz * g * sigmoid, "down": dy}


def damped_root(rows, share):
    """S for which S S^T is the mean of x x^T and a share of its mean diagonal."""
    square = rows.T @ rows / len(rows)
    return np.linalg.cholesky(square + share * np.trace(square) / len(square) * np.eye(len(square)))


def middles_of(model, sequences):
    """The stream in front of the MLP, for each story."""
    embedded = [model.weights["model.embed_tokens.weight"][tokens] for tokens in sequences]
    return [x + model.output(model.mixed(x, 0), 0) for x in embedded]


def bends_of(model, sequences):
    """Roots of the damped means of g g^T at the outputs of gate, up and down."""
    parts = [gradients_of(model, x, tokens) for x, tokens in zip(middles_of(model, sequences), sequences)]
    return {name: damped_root(np.concatenate([part[name] for part in parts]), DAMPING) for name in parts[0]}
