import { firewallSentence } from '@steading/api/rules'
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Truncate } from '../../ui/text.tsx'
import type { Rule } from './rules.ts'

type Props = {
  /** The rules in order of evaluation. */
  ordered: Rule[]
  /** The priorities before the change, by name. */
  old: ReadonlyMap<string, number>
  /** The rule to move; it gets the focus. */
  about?: string
  /** Called with the new position of a rule. */
  onMove: (name: string, to: number) => void
}

function showRow(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: 'center' })
  row?.querySelector<HTMLElement>('button:not([aria-disabled])')?.focus()
}

/** The position of the row under the pointer. */
function placeAt(list: Element | null, { clientX, clientY }: PointerEvent): number {
  const row = document.elementFromPoint(clientX, clientY)?.closest('li')
  return row && list ? [...list.children].indexOf(row) : -1
}

type Drag = { name: string; target: number }

/** Callbacks of the rows, kept stable so that only changed rows render again. */
type Acts = {
  moveBy: (name: string, by: number) => void
  grab: (name: string) => void
  drag: (name: string, event: PointerEvent<HTMLElement>) => void
  drop: (name: string) => void
  cancel: () => void
}

/** List of rules, reordered by pointer, buttons and keys. */
export function RuleOrder({ ordered, old, about, onMove }: Props) {
  const [drag, setDrag] = useState<Drag>()
  const placeOf = (name: string) => ordered.findIndex((rule) => rule.name === name)
  const now: Acts = {
    moveBy: (name, by) => onMove(name, placeOf(name) + by),
    grab: (name) => setDrag({ name, target: placeOf(name) }),
    drag(name, event) {
      if (!drag) return
      const list = event.currentTarget.closest('ol')
      const target = placeAt(list, event)
      if (target < 0 || target === drag.target) return
      setDrag({ name, target })
      list?.children[target]?.scrollIntoView({ block: 'nearest' })
    },
    drop(name) {
      if (drag && drag.target !== placeOf(name)) onMove(name, drag.target)
      setDrag(undefined)
    },
    cancel: () => setDrag(undefined),
  }
  const newest = useRef(now)
  useLayoutEffect(() => {
    newest.current = now
  })
  const acts = useMemo(
    (): Acts => ({
      moveBy: (...args) => newest.current.moveBy(...args),
      grab: (name) => newest.current.grab(name),
      drag: (...args) => newest.current.drag(...args),
      drop: (name) => newest.current.drop(name),
      cancel: () => newest.current.cancel(),
    }),
    [],
  )
  return (
    <ol aria-label="Firewall rules by priority" className="flex flex-col gap-1">
      {ordered.map((rule, index) => (
        <Row
          key={rule.name}
          rule={rule}
          before={old.get(rule.name)}
          isFirst={index === 0}
          isLast={index === ordered.length - 1}
          isWanted={rule.name === about}
          isDragged={drag?.name === rule.name}
          isTarget={drag?.target === index && drag.name !== rule.name}
          acts={acts}
        />
      ))}
    </ol>
  )
}

type RowProps = {
  rule: Rule
  /** Its priority before the change. */
  before: number | undefined
  isFirst: boolean
  isLast: boolean
  /** Whether it is the rule to move. */
  isWanted: boolean
  isDragged: boolean
  /** Whether the dragged rule would be dropped here. */
  isTarget: boolean
  acts: Acts
}

const Row = memo(function Row(props: RowProps) {
  const { rule, before, isFirst, isLast, isWanted, isDragged, isTarget, acts } = props
  const { name, status, priority } = rule
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || by === undefined) return
    event.preventDefault()
    acts.moveBy(name, by)
  }
  return (
    <li
      ref={isWanted ? showRow : undefined}
      className={cx(
        'flex items-center gap-2 rounded-control border bg-raised p-1 [contain-intrinsic-size:auto_46px] [content-visibility:auto]',
        isTarget && 'border-accent-border!',
        isDragged && 'opacity-60',
      )}
    >
      <span
        aria-hidden
        className="flex size-8 shrink-0 cursor-grab touch-none items-center justify-center text-tertiary"
        onPointerDown={({ button, currentTarget, pointerId }) => {
          if (button !== 0) return
          currentTarget.setPointerCapture(pointerId)
          acts.grab(name)
        }}
        onPointerMove={(event) => acts.drag(name, event)}
        onPointerUp={() => acts.drop(name)}
        onPointerCancel={acts.cancel}
      >
        <GripVertical size={16} strokeWidth={1.5} />
      </span>
      <span className="min-w-0 flex-1">
        <Truncate text={name} className={cx(status === 'disabled' && 'text-tertiary')} />
        <span className="block text-xs text-secondary">{firewallSentence(rule)}</span>
      </span>
      <span className="text-end text-xs whitespace-nowrap text-secondary tabular-nums">
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
          disabledReason={isFirst && 'It is the first rule'}
          icon={<ArrowUp size={14} strokeWidth={1.5} aria-hidden />}
          onClick={() => acts.moveBy(name, -1)}
          onKeyDown={onKeyDown}
        />
        <IconButton
          label={`Move ${name} down`}
          size="sm"
          disabledReason={isLast && 'It is the last rule'}
          icon={<ArrowDown size={14} strokeWidth={1.5} aria-hidden />}
          onClick={() => acts.moveBy(name, 1)}
          onKeyDown={onKeyDown}
        />
      </span>
    </li>
  )
})
