"""Random x.npy [256, 512] and w.npy [256, 1024]."""
import numpy as np

random = np.random.default_rng(0)
np.save("x.npy", random.standard_normal((256, 512), np.float32))
np.save("w.npy", random.standard_normal((256, 1024), np.float32) / 16)
