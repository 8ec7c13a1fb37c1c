/** Signing in beside a page, in another tab, which tells the page when it is done. */
const CHANNEL = 'signed-in'

/** Where such a tab ends. */
export const SIGNED_IN_PATH = '/login/signed-in'

export function tellOtherTabs(): void {
  const channel = new BroadcastChannel(CHANNEL)
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.postMessage(null)
  channel.close()
}

/** @returns what ends the listening */
export function whenSignedInElsewhere(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', listener)
  return () => channel.close()
}
