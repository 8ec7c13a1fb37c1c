import { encodeText } from './bytes.ts'
import type { NewArtifact } from './make.ts'

/**
 * Artifacts of a trial repository: one of each kind, with a line of text. Unchanged firmware is the
 * same as in an earlier release.
 * @param unchanged kinds → version of their last change
 */
export const sampleArtifacts = (
  version: string,
  kinds: readonly string[],
  unchanged: Readonly<Record<string, string>> = {},
): NewArtifact[] =>
  kinds.map((kind) => {
    const its = unchanged[kind] ?? version
    return { name: kind, version: its, kind, data: encodeText(`${kind} ${its}, simulated\n`) }
  })
