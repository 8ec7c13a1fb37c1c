/**
 * Gives other work of this process a turn. A database inside the process answers without yielding,
 * so long work on it would otherwise block the process until its end.
 */
export const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
