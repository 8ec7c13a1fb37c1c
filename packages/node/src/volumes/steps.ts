/**
 * Steps of a store at which tests run another process: waiting for the owner of the files; the owner
 * knows that a file has no other link and has yet to write to it; the owner knows that nobody is
 * writing and has yet to replace the checksums.
 */
export type Step = 'waiting' | 'writing' | 'summing'

export type Reached = (step: Step) => Promise<void> | void
