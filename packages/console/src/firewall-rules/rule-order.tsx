import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Truncate } from '../ui/text.tsx'
import type { Rule } from './rules.ts'
import { actionNames, directionNames } from './words.ts'

type Props = {
  /** The rules in the order in which they are tried. */
  ordered: Rule[]
  /** The priorities before, by name. */
  old: ReadonlyMap<string, number>
  /** The rule whose place is looked for; it gets the focus. */
  about?: string
  /** Called with the new place of a rule. */
  onMove: (name: string, to: number) => void
}

function showRow(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: 'center' })
  row?.querySelector<HTMLElement>('button:not([aria-disabled])')?.focus()
}

/** The place of the row under the pointer. */
function placeAt(list: Element | null, { clientX, clientY }: PointerEvent): number {
  const row = document.elementFromPoint(clientX, clientY)?.closest('li')
  return row && list ? [...list.children].indexOf(row) : -1
}

/** Rules that are moved by pointer, by buttons and by keys. */
export function RuleOrder({ ordered, old, about, onMove }: Props) {
  const [drag, setDrag] = useState<{ name: string; target: number }>()
  const handle = (name: string, index: number) => ({
    onPointerDown({ button, currentTarget, pointerId }: PointerEvent<HTMLElement>) {
      if (button !== 0) return
      currentTarget.setPointerCapture(pointerId)
      setDrag({ name, target: index })
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!drag) return
      const list = event.currentTarget.closest('ol')
      const target = placeAt(list, event)
      if (target < 0 || target === drag.target) return
      setDrag({ name, target })
      list?.children[target]?.scrollIntoView({ block: 'nearest' })
    },
    onPointerUp() {
      if (drag && drag.target !== index) onMove(name, drag.target)
      setDrag(undefined)
    },
    onPointerCancel: () => setDrag(undefined),
  })
  const byKeys = (name: string, index: number) => (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || by === undefined) return
    event.preventDefault()
    onMove(name, index + by)
  }
  return (
    <ol aria-label="Firewall rules by priority" className="flex flex-col gap-1">
      {ordered.map((rule, index) => {
        const { name, action, direction, status, priority } = rule
        const before = old.get(name)
        const onKeyDown = byKeys(name, index)
        return (
          <li
            key={name}
            ref={name === about ? showRow : undefined}
            className={cx(
              'flex items-center gap-2 rounded-control border bg-raised p-1 [contain-intrinsic-size:auto_46px] [content-visibility:auto]',
              drag?.target === index && drag.name !== name && 'border-accent-border!',
              drag?.name === name && 'opacity-60',
            )}
          >
            <span
              aria-hidden
              className="flex size-8 shrink-0 cursor-grab touch-none items-center justify-center text-tertiary"
              {...handle(name, index)}
            >
              <GripVertical size={16} strokeWidth={1.5} />
            </span>
            <span className="min-w-0 flex-1">
              <Truncate text={name} className={cx(status === 'disabled' && 'text-tertiary')} />
              <span className="block text-xs text-secondary">
                {actionNames[action]}, {directionNames[direction].toLowerCase()}
                {status === 'disabled' && ', disabled'}
              </span>
            </span>
            <span className="text-right text-xs whitespace-nowrap text-secondary tabular-nums">
              {before === priority ? (
                priority
              ) : (
                <>
                  {before} → <b className="font-medium text-primary">{priority}</b>
                </>
              )}
            </span>
            <span className="flex">
              <IconButton
                label={`Move ${name} up`}
                size="sm"
                disabledReason={index === 0 && 'It is the first rule'}
                icon={<ArrowUp size={14} strokeWidth={1.5} aria-hidden />}
                onClick={() => onMove(name, index - 1)}
                onKeyDown={onKeyDown}
              />
              <IconButton
                label={`Move ${name} down`}
                size="sm"
                disabledReason={index === ordered.length - 1 && 'It is the last rule'}
                icon={<ArrowDown size={14} strokeWidth={1.5} aria-hidden />}
                onClick={() => onMove(name, index + 1)}
                onKeyDown={onKeyDown}
              />
            </span>
          </li>
        )
      })}
    </ol>
  )
}
