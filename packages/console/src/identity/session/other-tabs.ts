/** Signing in from another tab, which notifies this page when done. */
const CHANNEL = 'signed-in'

/** Final page of such a tab. */
export const SIGNED_IN_PATH = '/login/signed-in'

export function notifyOtherTabs(): void {
  const channel = new BroadcastChannel(CHANNEL)
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.postMessage(null)
  channel.close()
}

/** @returns stops listening */
export function onSignInElsewhere(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', listener)
  return () => channel.close()
}
