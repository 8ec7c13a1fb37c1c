import { useEffectEvent, useLayoutEffect } from 'react'
import { hasMod, type ShortcutId, shortcutTable } from './shortcuts.ts'

/** Handles a shortcut. Returns false if it does not apply here, which leaves the key alone. */
type Handler = (event: KeyboardEvent) => boolean | void

/** Handlers of each shortcut, newest first. */
const handlers = new Map<ShortcutId, Handler[]>()

const isTyping = (target: Element) =>
  (target as HTMLElement).isContentEditable ||
  target.matches('textarea, select, input:not([type=checkbox], [type=radio])')

/** A terminal takes all keys. */
const takesAllKeys = (target: Element) => target.closest('[role=application]') !== null

/** The keys belong to a field, a menu, a list of options, or the open dialog. */
const isElsewhere = (target: Element) =>
  isTyping(target) ||
  target.closest('[role=menu], [role=listbox]') !== null ||
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null

/** The pressed key as named in the table of shortcuts. */
function nameOf(event: KeyboardEvent): string {
  const { key, shiftKey } = event
  const name = key.length === 1 ? key.toLowerCase() : key
  // Only some keyboards need the shift key for other characters.
  const shift = shiftKey && /^([a-z]|\w{2,})$/.test(name) ? 'shift+' : ''
  return `${hasMod(event) ? 'mod+' : ''}${shift}${name}`
}

/** Time limit for the second of two keys, in milliseconds. */
const SEQUENCE = 1500
let first: { name: string; time: number } | undefined

const ids = Object.keys(shortcutTable) as ShortcutId[]
const handledBy = (name: string) => ids.filter((id) => shortcutTable[id].includes(name))
const beginsSequence = (name: string) =>
  ids.some((id) => shortcutTable[id].some((keys) => keys.startsWith(`${name} `)))

const handle = (name: string, event: KeyboardEvent): boolean =>
  handledBy(name).some((id) => handlers.get(id)?.some((run) => run(event) !== false))

function onKeyDown(event: KeyboardEvent) {
  const { target } = event
  if (event.altKey || event.isComposing || !(target instanceof Element)) return
  // Modifiers arrive as separate events before the key.
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
 * Handles shortcuts while the caller is mounted. Combinations with `mod` work everywhere except
 * in a terminal; all others only outside of fields, menus and dialogs.
 */
export function useShortcuts(wanted: { [Id in ShortcutId]?: Handler }): void {
  const run = useEffectEvent((id: ShortcutId, event: KeyboardEvent) => wanted[id]?.(event))
  const which = Object.keys(wanted).join()
  // A layout effect: the shortcut works as soon as the page is visible.
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
