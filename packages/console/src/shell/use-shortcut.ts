import { useEffectEvent, useLayoutEffect } from 'react'
import { hasMod } from './platform.ts'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Whether the target is in a terminal, to which every key belongs. */
const takesAllKeys = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role=application]') !== null

/** `mod+k` works everywhere but in a terminal; a plain key only outside of text fields. */
export function useShortcut(shortcut: string, run: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const key = shortcut.replace('mod+', '')
    const wantsMod = shortcut !== key
    if (event.key.toLowerCase() !== key || hasMod(event) !== wantsMod || event.altKey) return
    if (takesAllKeys(event.target) || (!wantsMod && isTyping(event.target))) return
    event.preventDefault()
    run()
  })
  // With the layout: who sees the page can press the key.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', listener, true)
    return () => document.removeEventListener('keydown', listener, true)
  }, [])
}
