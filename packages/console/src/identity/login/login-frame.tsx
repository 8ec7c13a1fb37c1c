import type { ReactNode } from 'react'
import { Identicon } from '../../ui/identicon.tsx'
import { Logo } from '../../ui/logo.tsx'

/** Art on the left half, a narrow column on the right; small screens show only the column. */
export function LoginFrame({ children }: { children: ReactNode }) {
  return (
    <main
      id="content"
      tabIndex={-1}
      className="grid min-h-dvh grid-cols-1 pt-(--banner-height) min-[800px]:grid-cols-2"
    >
      <div className="relative overflow-hidden border-r bg-sunken max-[800px]:hidden">
        <GableArt />
        <div className="absolute top-8 left-8 flex items-center gap-2 text-base font-semibold">
          <Logo size={22} className="text-accent-text" /> Steading
        </div>
      </div>
      <div className="flex flex-col items-center justify-center p-6">
        <div className="flex w-80 max-w-full flex-1 flex-col justify-center">{children}</div>
        <Logo size={24} className="mt-8 text-tertiary min-[800px]:hidden" />
      </div>
    </main>
  )
}

/** Rows of gables, brighter towards the front: a yard seen over its roofs. */
function GableArt() {
  const rows = [
    { y: 190, step: 110, strength: 16 },
    { y: 300, step: 160, strength: 30 },
    { y: 450, step: 235, strength: 52 },
    { y: 660, step: 350, strength: 100 },
  ]
  return (
    <svg
      viewBox="0 0 800 900"
      preserveAspectRatio="xMidYMax slice"
      className="absolute inset-0 size-full"
      aria-hidden
    >
      {rows.map(({ y, step, strength }, row) => (
        <g key={y}>
          {Array.from({ length: Math.ceil(1000 / step) + 1 }, (_, index) => (
            <Gable
              key={index}
              x={index * step - (row % 2 ? step * 0.62 : step * 0.12) - 40}
              y={y}
              width={step * 0.8}
              strength={strength}
            />
          ))}
        </g>
      ))}
    </svg>
  )
}

type GableProps = { x: number; y: number; width: number; strength: number }

function Gable({ x, y, width, strength }: GableProps) {
  const half = width / 2
  const middle = x + half
  const mix = (color: string) => `color-mix(in oklch, ${color} ${strength}%, var(--surface-sunken))`
  /** A slice of the roof between two distances from its ridge. */
  const slice = (from: number, to: number) =>
    `M${middle - to} ${y + to} L${middle - from} ${y + from} L${middle + from} ${y + from} L${middle + to} ${y + to}`
  const bar = half * 0.34
  const gap = half * 0.08
  const eaves = y + half
  return (
    <>
      {/* The wall covers the row behind. */}
      <path
        d={`${slice(0, half)} L${x + width} ${y + 1000} L${x} ${y + 1000}Z`}
        fill="var(--surface-sunken)"
      />
      <path d={`${slice(0, bar)}Z`} fill={mix('var(--accent-solid)')} />
      <path
        d={`${slice(bar + gap, half)} L${x + width} ${eaves + bar * 0.4} L${x} ${eaves + bar * 0.4}Z`}
        fill={mix('var(--accent-border)')}
      />
      <path
        d={`M${x} ${eaves + bar * 0.4 + gap} H${x + width} V${y + 1000} H${x}Z`}
        fill={mix('var(--accent-surface)')}
      />
    </>
  )
}

/** Heading with the silo's name. */
export const SiloHeading = ({ silo }: { silo: string }) => (
  <div className="mb-8 flex items-center gap-3">
    <Identicon name={silo} size={40} />
    <div className="min-w-0">
      <div className="text-xs text-tertiary">Silo</div>
      <h1 className="truncate text-xl font-semibold">{silo}</h1>
    </div>
  </div>
)
