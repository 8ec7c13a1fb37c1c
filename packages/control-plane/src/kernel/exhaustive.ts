/** For the default of a switch over all states: a state that is not handled does not compile. */
export function unknownState(state: never): never {
  throw new Error(`no rule for state ${String(state)}`)
}
