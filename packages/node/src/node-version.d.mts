export declare const MINIMUM_NODE: readonly [number, number]
export declare function nodeVersionProblem(version?: string): string | undefined
