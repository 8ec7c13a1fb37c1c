export type { Source } from './archive.ts'
export { encodeText, sha256, type Bytes } from './bytes.ts'
export {
  makeRepository,
  makeTrustRoot,
  type NewArtifact,
  newKeys,
  repositoryFiles,
  signDocument,
  type Signer,
  signerOf,
  zipOf,
} from './make.ts'
export { checkTrustRoot } from './metadata.ts'
export { TufProblem } from './problem.ts'
export { sampleArtifacts } from './sample.ts'
export { type Artifact, readRepository, type Repository } from './repository.ts'
