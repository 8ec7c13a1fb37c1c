import { useEffectEvent, useLayoutEffect } from 'react'
import { hasMod, type ShortcutId, shortcutTable } from './shortcuts.ts'

/** Does what the shortcut is for. False: nothing was to be done here, so the key is left alone. */
type Handler = (event: KeyboardEvent) => boolean | void

/** The handlers of each shortcut; the newest comes first. */
const handlers = new Map<ShortcutId, Handler[]>()

const isTyping = (target: Element) =>
  (target as HTMLElement).isContentEditable ||
  target.matches('textarea, select, input:not([type=checkbox], [type=radio])')

/** The terminal, to which every key belongs. */
const takesAllKeys = (target: Element) => target.closest('[role=application]') !== null

/** The keys belong to a field, a menu or a list of choices, or to the dialog that is open. */
const isElsewhere = (target: Element) =>
  isTyping(target) ||
  target.closest('[role=menu], [role=listbox]') !== null ||
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null

/** The pressed key as the table of shortcuts names it. */
function nameOf(event: KeyboardEvent): string {
  const { key, shiftKey } = event
  const name = key.length === 1 ? key.toLowerCase() : key
  // Other characters need the shift key on some keyboards only.
  const shift = shiftKey && /^([a-z]|\w{2,})$/.test(name) ? 'shift+' : ''
  return `${hasMod(event) ? 'mod+' : ''}${shift}${name}`
}

/** Milliseconds in which the second of two keys is awaited. */
const SEQUENCE = 1500
let first: { name: string; time: number } | undefined

const ids = Object.keys(shortcutTable) as ShortcutId[]
const handledBy = (name: string) => ids.filter((id) => shortcutTable[id].keys.includes(name))
const beginsSequence = (name: string) =>
  ids.some((id) => shortcutTable[id].keys.some((keys) => keys.startsWith(`${name} `)))

const handle = (name: string, event: KeyboardEvent): boolean =>
  handledBy(name).some((id) => handlers.get(id)?.some((run) => run(event) !== false))

function onKeyDown(event: KeyboardEvent) {
  const { target } = event
  if (event.altKey || event.isComposing || !(target instanceof Element)) return
  // The keys of a combination come one by one.
  if (['Shift', 'Control', 'Meta'].includes(event.key)) return
  const name = nameOf(event)
  if (takesAllKeys(target) || (!name.startsWith('mod+') && isElsewhere(target))) return
  const before = first && event.timeStamp - first.time < SEQUENCE ? first : undefined
  first = undefined
  const pressed = before ? `${before.name} ${name}` : name
  if (handle(pressed, event)) event.preventDefault()
  else if (!before && beginsSequence(name)) first = { name, time: event.timeStamp }
}

let listening = false

/**
 * Handles shortcuts while the caller is mounted. Combinations with `mod` work everywhere but in a
 * terminal; all others only outside of fields, menus and dialogs.
 */
export function useShortcuts(wanted: { [Id in ShortcutId]?: Handler }): void {
  const run = useEffectEvent((id: ShortcutId, event: KeyboardEvent) => wanted[id]?.(event))
  const which = Object.keys(wanted).join()
  // With the layout: a user who sees the page can press the key.
  useLayoutEffect(() => {
    if (!listening) document.addEventListener('keydown', onKeyDown, true)
    listening = true
    const mine = (which ? which.split(',') : []).map((name) => {
      const id = name as ShortcutId
      return [id, (event: KeyboardEvent) => run(id, event)] as const
    })
    for (const [id, handler] of mine) handlers.set(id, [handler, ...(handlers.get(id) ?? [])])
    return () => {
      for (const [id, handler] of mine) {
        handlers.set(
          id,
          handlers.get(id)!.filter((other) => other !== handler),
        )
      }
    }
  }, [which])
}
