import { encodeText } from './bytes.ts'
import type { NewArtifact } from './make.ts'

/**
 * Artifacts for a repository to try out: of each kind one, with a line of text. Firmware that has
 * not changed since an earlier release is the same there.
 * @param unchanged kinds → the version that they were changed in the last time
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
