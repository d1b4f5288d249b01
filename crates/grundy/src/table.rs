//! Tables of Grundy values: the engine is chosen from the shape of the rule.
