/** A problem with a trust root or a repository, in a sentence for people. */
export class TufProblem extends Error {}
