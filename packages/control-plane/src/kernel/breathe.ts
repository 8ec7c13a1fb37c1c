/**
 * Lets others have their turn. A database in the process answers at once, so long work over it would
 * else keep everything else waiting to its end.
 */
export const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
