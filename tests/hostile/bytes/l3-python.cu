import numpy as np

def transpose(a):
    return np.ascontiguousarray(a.T)
