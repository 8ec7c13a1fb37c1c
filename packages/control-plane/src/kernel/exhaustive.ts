/** For the default of a switch over all states: an unhandled state does not compile. */
export function unknownState(state: never): never {
  throw new Error(`no rule for state ${String(state)}`)
}
