/**
 * Steps of a store at which tests let another process come in: it waits for the owner of the files;
 * the owner knows that a file has no other link and has yet to write to it; and it knows that
 * nobody is writing and has yet to replace the checksums.
 */
export type Step = 'waiting' | 'writing' | 'summing'

export type Reached = (step: Step) => Promise<void> | void
