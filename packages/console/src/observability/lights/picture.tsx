import { useNavigate } from '@tanstack/react-router'
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { linkTo } from '../../data/addresses.ts'
import { cx } from '../../ui/cx.ts'
import { type Box, type Direction, layOut, lightAt, nextLight } from './layout.ts'
import { type Light, type LitUnit, wordsOf } from './model.ts'
import { createPainter, type Painter, type PlacedLight } from './painter.ts'
import { seat, type Seats } from './seats.ts'

/** Pixels around a light that belong to it. */
const REACH = 8

const directions: readonly string[] = [
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
] satisfies Direction[]

/** The size of an element in pixels; 0 before it is known. */
function useSize(element: { current: HTMLElement | null }) {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const box = element.current!
    const measure = () => setSize({ width: box.clientWidth, height: box.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [element])
  return size
}

interface Seated {
  units: readonly LitUnit[]
  /** By unit. */
  seats: Seats[]
}

function seatAll(units: readonly LitUnit[], before?: Seated): Seated {
  const known = new Map(before?.units.map(({ light }, index) => [light.id, before.seats[index]!]))
  const seats = units.map(({ light, instances }) =>
    seat(
      known.get(light.id) ?? [],
      instances.map(({ id }) => id),
    ),
  )
  return { units, seats }
}

/** The places of instances by unit, which they keep while the picture is shown. */
function useSeats(units: readonly LitUnit[]): Seats[] {
  const [seated, setSeated] = useState(() => seatAll(units))
  if (seated.units === units) return seated.seats
  const next = seatAll(units, seated)
  setSeated(next)
  return next.seats
}

/** Places each light: unit by unit, its own light first. */
function useScene(
  units: readonly LitUnit[],
  room: { width: number; height: number },
  hasRoof: boolean,
) {
  const seats = useSeats(units)
  const { width, height } = room
  return useMemo(() => {
    const shapes = units.map(({ group, disks }, index) => ({
      group,
      slots: seats[index]!.length,
      disks: disks.length,
    }))
    const layout = layOut(shapes, { width, height, hasRoof })
    const lights = units.flatMap((unit, index): PlacedLight[] => {
      const boxes = layout.units[index]!
      const byId = new Map(unit.instances.map((light) => [light.id, light]))
      return [
        { light: unit.light, box: boxes.light },
        ...seats[index]!.flatMap((id, place) => {
          const light = id === null ? undefined : byId.get(id)
          return light ? { light, box: boxes.instances[place]! } : []
        }),
        ...unit.disks.map((light, place) => ({ light, box: boxes.disks[place]! })),
      ]
    })
    return { layout, lights, boxes: lights.map(({ box }) => box) }
  }, [units, seats, width, height, hasRoof])
}

type PictureProps = { units: readonly LitUnit[]; label: string; hasRoof: boolean }

/** The lights of some units. One tab stop: the arrow keys lead from light to light. */
export function Picture({ units, label, hasRoof }: PictureProps) {
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const painter = useRef<Painter>(undefined)
  const navigate = useNavigate()
  const size = useSize(frame)
  const { layout, lights, boxes } = useScene(units, size, hasRoof)
  const [hovered, setHovered] = useState<string>()
  const [focused, setFocused] = useState<string>()
  const [hasFocus, setHasFocus] = useState(false)

  useEffect(() => {
    painter.current = createPainter(canvas.current!)
    return () => painter.current?.destroy()
  }, [])
  useEffect(() => {
    if (layout.width > 0) painter.current!.show({ layout, lights })
  }, [layout, lights])

  const indexOf = (wanted: string | undefined) =>
    lights.findIndex(({ light }) => light.id === wanted)
  const current = Math.max(0, indexOf(focused))
  const pointed = hovered === undefined ? (hasFocus ? current : -1) : indexOf(hovered)
  const marked = lights[pointed]
  useEffect(() => painter.current!.point(marked?.box), [marked?.box])

  const open = ({ path }: Light) => {
    if (path !== undefined) void navigate(linkTo(path))
  }
  const lightUnder = (event: MouseEvent) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const point = { x: event.clientX - left, y: event.clientY - top }
    return lights[lightAt(boxes, point, REACH)]?.light
  }
  const onPointerMove = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') setHovered(lightUnder(event)?.id)
  }
  const onClick = (event: MouseEvent) => {
    const light = lightUnder(event)
    // A finger covers many lights: its first touch shows which one is meant.
    const isTouch = (event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch'
    if (light && (!isTouch || light.id === hovered)) open(light)
    else setHovered(light?.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || lights.length === 0) return
    if (directions.includes(event.key)) {
      setFocused(lights[nextLight(boxes, current, event.key as Direction)]!.light.id)
      setHovered(undefined)
    } else if (event.key === 'Enter' || event.key === ' ') open(lights[current]!.light)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const option = lights[current]?.light
  return (
    <div
      ref={frame}
      role="listbox"
      aria-label={label}
      aria-activedescendant={option && `${id}-light`}
      tabIndex={0}
      dir="ltr"
      className={cx(
        'focus-inset relative min-h-0 flex-1 select-none',
        marked?.light.path !== undefined && 'cursor-pointer',
      )}
      onPointerMove={onPointerMove}
      onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setHovered(undefined)}
      onClick={onClick}
      onKeyDown={onKeyDown}
      onFocus={({ currentTarget }) => setHasFocus(currentTarget.matches(':focus-visible'))}
      onBlur={() => setHasFocus(false)}
    >
      <canvas ref={canvas} aria-hidden className="absolute inset-0 size-full" />
      {option && (
        <div
          id={`${id}-light`}
          role="option"
          aria-selected
          aria-posinset={current + 1}
          aria-setsize={lights.length}
          className="sr-only"
        >
          {wordsOf(option)}
        </div>
      )}
      {marked && <Tooltip light={marked.light} box={marked.box} room={size} />}
    </div>
  )
}

type TooltipProps = { light: Light; box: Box; room: { width: number; height: number } }

/** Beside its light, towards the middle of the picture. */
function Tooltip({ light, box, room }: TooltipProps) {
  const x = box.x + box.width / 2
  const isLow = box.y > room.height / 2
  const shift = x < room.width / 4 ? '0%' : x > (room.width * 3) / 4 ? '-100%' : '-50%'
  return (
    <div
      aria-hidden
      data-light={`${Math.round(x)} ${Math.round(box.y + box.height / 2)}`}
      className="pointer-events-none absolute z-10 max-w-72 rounded-control bg-inverse px-2.5 py-1.5 text-xs break-words text-on-inverse shadow-floating"
      style={{
        left: x,
        top: isLow ? box.y - 8 : box.y + box.height + 8,
        transform: `translate(${shift}, ${isLow ? '-100%' : '0'})`,
      }}
    >
      <div className="font-medium">
        {light.name}
        {light.state && <span className="font-normal">, {light.state}</span>}
      </div>
      <div className="opacity-75">{light.place}</div>
    </div>
  )
}
