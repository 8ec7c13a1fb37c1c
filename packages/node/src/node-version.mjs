/**
 * Version check of every entry point. Plain JavaScript of 2020, so that an old Node can run it and
 * print the message.
 */

/**
 * First version with all features used here: type stripping, `node:sqlite`, Argon2, and optional
 * upgrades.
 */
export const MINIMUM_NODE = [24, 9]

/** @returns the message about an unsuitable version; undefined for a suitable one */
export function nodeVersionProblem(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  const [needMajor, needMinor] = MINIMUM_NODE
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return undefined
  return (
    `Steading needs Node.js ${needMajor}.${needMinor} or newer, and this is ${version}. ` +
    'On Linux, npm brings a suitable one along when it installs Steading; ' +
    `otherwise install Node.js ${needMajor} from https://nodejs.org.`
  )
}
