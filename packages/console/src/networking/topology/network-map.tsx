import { Maximize, Minus, Plus } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { parseTag } from '@steading/api/rules'
import { useRouter } from '@tanstack/react-router'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { itemByKey } from './find-in-tree.ts'
import { type Graph, INTERNET } from './graph.ts'
import { ItemView, type Passing } from './item-view.tsx'
import { draw, type Item, type Picture } from './layout.ts'
import { shortStepText, connectedWith, lineBetween, pathOf, type PathStop } from './packet-path.ts'
import './map.css'

type Props = {
  graph: Graph
  label: string
  /** The page of an item. */
  hrefOf: (item: Item) => string | undefined
  /** Interfaces always shown. */
  pinned: ReadonlySet<string>
  way: PathStop[]
  /** The key of the tag by which instances are coloured, and the tag that is highlighted. */
  tagKey: string | undefined
  tag: string | undefined
}

const ZOOMS = [0.4, 0.5, 0.65, 0.8, 1, 1.25, 1.5]
/** Below this zoom, an item has room for only one line of readable text. */
const FAR = 0.65
const LARGEST_AT_FIRST = 1.15
const MARGIN = 24
/** Pixels the pointer may move during a click; beyond that it drags the map. */
const SLIP = 5

/** The narrowest window for the map; below it a list is shown. */
const wideEnough = window.matchMedia('(width >= 720px)')

function useWide(): boolean {
  const [wide, setWide] = useState(wideEnough.matches)
  useEffect(() => {
    const follow = () => setWide(wideEnough.matches)
    wideEnough.addEventListener('change', follow)
    return () => wideEnough.removeEventListener('change', follow)
  }, [])
  return wide
}

/** The layout of the map; each layout keeps the places of the previous one. */
function usePicture(graph: Graph, toggled: ReadonlySet<string>, pinned: ReadonlySet<string>) {
  const [last, setLast] = useState(() => ({
    graph,
    toggled,
    pinned,
    picture: draw(graph, { toggled, pinned }),
  }))
  if (last.graph === graph && last.toggled === toggled && last.pinned === pinned) {
    return last.picture
  }
  const picture = draw(graph, { toggled, pinned }, last.picture.memory)
  setLast({ graph, toggled, pinned, picture })
  return picture
}

function passingsOf(way: readonly PathStop[]): Map<string, Passing> {
  const passings = new Map<string, Passing>()
  for (const [index, { item, steps, blocked }] of way.entries()) {
    if (!item) continue
    const known = passings.get(item)
    // The step that stops the packet is the most relevant, then firewall rules.
    const telling =
      steps.find(({ passed }) => !passed) ??
      steps.find(({ kind }) => kind === 'firewall') ??
      steps.find(({ kind }) => kind === 'route' || kind === 'gateway') ??
      steps.at(-1)
    passings.set(item, {
      stops: [...(known?.stops ?? []), index + 1],
      says: telling?.reason ?? known?.says ?? 'The packet comes from here.',
      briefly: telling ? shortStepText(telling) : (known?.briefly ?? 'From here'),
      blocked: blocked || (known?.blocked ?? false),
    })
  }
  return passings
}

/** The tag of an instance with a key. */
const tagOf = (item: Item, key: string | undefined): string | undefined =>
  key !== undefined && item.kind === 'station'
    ? item.node.tags.find((tag) => parseTag(tag).key === key)
    : undefined

/** The number of interfaces of instances with a tag; undefined where there are none at all. */
function litIn(item: Item, tag: string | undefined): number | undefined {
  if (tag === undefined) return undefined
  if (item.kind === 'station') return Number(item.node.tags.includes(tag))
  return item.kind === 'group'
    ? item.node.stations.filter(({ tags }) => tags.includes(tag)).length
    : undefined
}

export function NetworkMap({ graph, label, hrefOf, pinned, way, tagKey, tag }: Props) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const picture = usePicture(graph, toggled, pinned)
  const [current, setCurrent] = useState(INTERNET)
  const [pointedAt, setPointedAt] = useState<string>()
  const tree = useRef<HTMLDivElement>(null)
  const { history } = useRouter()
  const asList = !useWide()
  const passings = useMemo(() => passingsOf(way), [way])
  const byId = useMemo(() => new Map(picture.items.map((item) => [item.id, item])), [picture])
  const shown = byId.get(pointedAt ?? '')
  const connected = useMemo(() => shown && connectedWith(picture, shown), [picture, shown])
  const reachable = byId.has(current) ? current : picture.items[0]!.id

  const toggle = (id: string) =>
    setToggled((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  const elementOf = (id: string) =>
    tree.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const item = byId.get((event.target as HTMLElement).dataset.id ?? '')
    if (!item) return
    const foldable = item.expanded !== undefined
    const folds =
      foldable &&
      (key === ' ' ||
        (key === 'Enter' && !hrefOf(item)) ||
        (key === 'ArrowRight' && !item.expanded) ||
        (key === 'ArrowLeft' && item.expanded))
    if (folds) {
      event.preventDefault()
      toggle(item.id)
      return
    }
    const next = itemByKey(picture.items, item.id, key)
    if (!next) return
    event.preventDefault()
    setCurrent(next)
    elementOf(next)?.focus()
  }
  const onClick = (event: MouseEvent) => {
    const element = (event.target as HTMLElement).closest<HTMLElement>('[role=treeitem]')
    const item = byId.get(element?.dataset.id ?? '')
    if (!item) return
    setCurrent(item.id)
    const href = hrefOf(item)
    const toggles =
      item.expanded !== undefined &&
      (!href || (event.target as HTMLElement).closest('[data-toggle]'))
    if (toggles) {
      event.preventDefault()
      toggle(item.id)
      return
    }
    const { metaKey, altKey, ctrlKey, shiftKey } = event
    if (!href || event.button !== 0 || metaKey || altKey || ctrlKey || shiftKey) return
    event.preventDefault()
    history.push(href)
  }
  const items = (
    <div
      ref={tree}
      role="tree"
      // Focus belongs to the items.
      tabIndex={-1}
      aria-label={label}
      className={asList ? undefined : 'absolute inset-0'}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onFocus={(event) => {
        const { id } = (event.target as HTMLElement).dataset
        if (id) setCurrent(id)
        setPointedAt(id)
      }}
      onBlur={() => setPointedAt(undefined)}
      onPointerOver={(event) =>
        setPointedAt((event.target as HTMLElement).closest<HTMLElement>('[data-id]')?.dataset.id)
      }
      onPointerLeave={() => setPointedAt(undefined)}
    >
      {picture.items.map((item) => (
        <ItemView
          key={item.id}
          item={item}
          href={hrefOf(item)}
          current={item.id === reachable}
          connected={connected?.items.has(item.id) ?? false}
          passing={passings.get(item.id)}
          tag={tagOf(item, tagKey)}
          lit={litIn(item, tag)}
          asList={asList}
        />
      ))}
    </div>
  )
  if (asList) return <div className="border-t pb-6">{items}</div>
  return (
    <Canvas picture={picture} wires={connected?.wires} way={way}>
      {items}
    </Canvas>
  )
}

type CanvasProps = {
  picture: Picture
  /** Wires connected with the item under the pointer. */
  wires: ReadonlySet<string> | undefined
  way: PathStop[]
  children: React.ReactNode
}

/** The scrollable frame of the map, which can also be dragged by mouse. */
function Canvas({ picture, wires, way, children }: CanvasProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState(1)
  const { width, height } = picture
  /** The point of the map that stays in the middle of the frame. */
  const middle = useRef<{ x: number; y: number }>(undefined)

  const zoomTo = (next: number) => {
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = frame.current!
    middle.current = {
      x: (scrollLeft + clientWidth / 2) / zoom,
      y: (scrollTop + clientHeight / 2) / zoom,
    }
    setZoom(next)
  }
  useLayoutEffect(() => {
    const at = middle.current
    if (!at) return
    middle.current = undefined
    const { clientWidth, clientHeight } = frame.current!
    frame.current!.scrollTo(at.x * zoom - clientWidth / 2, at.y * zoom - clientHeight / 2)
  }, [zoom])
  /** The zoom at which the whole map fits the frame. */
  const whole = () => {
    const { clientWidth, clientHeight } = frame.current!
    return Math.min(clientWidth / (width + 2 * MARGIN), clientHeight / (height + 2 * MARGIN))
  }
  const fit = () => {
    middle.current = undefined
    setZoom(Math.min(1, Math.max(ZOOMS[0]!, whole())))
    frame.current!.scrollTo(0, 0)
  }
  // Runs once: later the map must not move by itself.
  useLayoutEffect(() => {
    setZoom(Math.min(LARGEST_AT_FIRST, Math.max(ZOOMS[0]!, whole())))
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  const passed = way.flatMap(({ item }) => (item && item !== INTERNET ? [item] : []))
  // Scrolls to the path of an answer, which may be outside the frame of a large map. The internet
  // is as wide as the map, so it is left out.
  useLayoutEffect(() => {
    const boxes = picture.items.flatMap(({ id, box }) => (passed.includes(id) ? [box] : []))
    if (boxes.length === 0) return
    const between = (low: number[], high: number[]) => (Math.min(...low) + Math.max(...high)) / 2
    const at = {
      x: between(
        boxes.map(({ x }) => x),
        boxes.map(({ x, width: wide }) => x + wide),
      ),
      y: between(
        boxes.map(({ y }) => y),
        boxes.map(({ y, height: high }) => y + high),
      ),
    }
    const { clientWidth, clientHeight } = frame.current!
    frame.current!.scrollTo(at.x * zoom - clientWidth / 2, at.y * zoom - clientHeight / 2)
    // The initial zoom, chosen at the same time, must keep this position.
    middle.current = at
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [passed.join(' ')])
  const smaller = ZOOMS.findLast((one) => one < zoom)
  const larger = ZOOMS.find((one) => one > zoom)

  const drag = useDrag(frame)
  useEffect(() => {
    // React's wheel listener is passive, so it cannot prevent the page from zooming.
    const element = frame.current!
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const next = Math.min(1.5, Math.max(0.4, zoom * Math.exp(-event.deltaY / 400)))
      const at = element.getBoundingClientRect()
      const x = event.clientX - at.left
      const y = event.clientY - at.top
      middle.current = {
        x: (element.scrollLeft + x) / zoom + (element.clientWidth / 2 - x) / next,
        y: (element.scrollTop + y) / zoom + (element.clientHeight / 2 - y) / next,
      }
      setZoom(next)
    }
    element.addEventListener('wheel', wheel, { passive: false })
    return () => element.removeEventListener('wheel', wheel)
  }, [zoom])

  return (
    <div className="relative min-h-112 flex-1 border-t bg-sunken">
      <div ref={frame} className="map-frame absolute inset-0 overflow-auto" {...drag}>
        {/* Contains the margin of the map, which the frame would otherwise add to its height. */}
        <div
          className="mx-auto flow-root"
          style={{ width: (width + 2 * MARGIN) * zoom, height: (height + 2 * MARGIN) * zoom }}
        >
          <div
            className="map-world relative origin-top-left"
            data-far={zoom < FAR || undefined}
            style={{ '--zoom': zoom, width, height } as CSSProperties}
          >
            <Backgrounds items={picture.items} />
            <svg
              aria-hidden
              width={width}
              height={height}
              className="absolute inset-0 overflow-visible"
            >
              {picture.wires.map(({ id, points }) => (
                <path
                  key={id}
                  d={pathOf(points)}
                  className={cx('map-wire', wires?.has(id) && 'is-connected')}
                />
              ))}
              {way.slice(1).map(({ item }, index) => {
                const from = way[index]!.item
                if (!from || !item) return null
                return (
                  <path
                    // A path may pass the same item twice.
                    key={`${index} ${from} ${item}`}
                    d={pathOf(lineBetween(picture, from, item))}
                    className="map-way"
                    style={{ '--after': index } as CSSProperties}
                  />
                )
              })}
            </svg>
            {children}
          </div>
        </div>
      </div>
      <div
        role="group"
        aria-label="Zoom of the map"
        className="absolute end-4 bottom-4 flex rounded-control border bg-floating shadow-floating"
      >
        <IconButton
          label="Smaller"
          icon={<Minus size={16} strokeWidth={1.5} aria-hidden />}
          disabled={!smaller}
          onClick={() => smaller && zoomTo(smaller)}
        />
        <IconButton
          label="Show the whole map"
          icon={<Maximize size={16} strokeWidth={1.5} aria-hidden />}
          onClick={fit}
        />
        <IconButton
          label="Larger"
          icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
          disabled={!larger}
          onClick={() => larger && zoomTo(larger)}
        />
      </div>
    </div>
  )
}

/** The backgrounds of VPCs and subnets. */
const Backgrounds = ({ items }: { items: Item[] }) =>
  items.map(({ id, kind, box }) =>
    kind === 'vpc' || kind === 'subnet' ? (
      <div
        key={id}
        aria-hidden
        className={cx(
          'absolute border',
          kind === 'vpc' ? 'rounded-card border-line-strong bg-page' : 'rounded-control bg-sunken',
        )}
        style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
      />
    ) : null,
  )

/** Drags the map by mouse; clicks on items still work. */
function useDrag(frame: React.RefObject<HTMLDivElement | null>) {
  const from = useRef<{ x: number; y: number; left: number; top: number; moved: boolean }>(
    undefined,
  )
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType !== 'mouse' || event.button !== 0) return
      const { scrollLeft: left, scrollTop: top } = frame.current!
      from.current = { x: event.clientX, y: event.clientY, left, top, moved: false }
    },
    onPointerMove: (event: PointerEvent) => {
      const start = from.current
      if (!start) return
      if (event.buttons === 0) {
        from.current = undefined
        return
      }
      const [x, y] = [event.clientX - start.x, event.clientY - start.y]
      if (!start.moved && Math.hypot(x, y) <= SLIP) return
      start.moved = true
      frame.current!.scrollTo(start.left - x, start.top - y)
    },
    onClickCapture: (event: MouseEvent) => {
      const { moved } = from.current ?? {}
      from.current = undefined
      if (!moved) return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
