import type { ReactNode } from 'react'
import { Identicon } from '../../ui/identicon.tsx'
import { Logo } from '../../ui/logo.tsx'

/** The mark and its meaning on the left half, a narrow column on the right; small screens show only the column. */
export function LoginFrame({ children }: { children: ReactNode }) {
  return (
    <main
      id="content"
      tabIndex={-1}
      className="grid min-h-dvh grid-cols-1 pt-(--banner-height) min-[800px]:grid-cols-2"
    >
      <div className="relative overflow-hidden border-e bg-sunken max-[800px]:hidden">
        <BarnArt />
        <div className="absolute top-8 start-8 flex items-center gap-2.5 text-lg font-semibold tracking-[-0.01em]">
          <Logo size={26} className="text-accent-text" /> Steading
        </div>
        <p className="absolute bottom-8 start-8 max-w-md text-secondary">
          Instances, disks, networks and access of your cloud, under one roof.
        </p>
      </div>
      <div className="flex flex-col items-center justify-center p-6">
        <div className="flex w-80 max-w-full flex-1 flex-col justify-center">{children}</div>
        <Logo size={24} className="mt-8 text-tertiary min-[800px]:hidden" />
      </div>
    </main>
  )
}

const CENTRE = 400
const EAVES = 452
const UNITS = 9
const UNIT_HEIGHT = 32
const UNIT_STEP = 40
const SLOTS = 16
const SLOT_WIDTH = 20
const SLOT_STEP = 25

/** The outline of the roof: a gambrel, as in the mark. */
const ROOF = `${CENTRE},196 ${CENTRE + 148},274 ${CENTRE + 240},${EAVES - 8} ${CENTRE - 240},${EAVES - 8} ${CENTRE - 148},274`

/** A number from 0 to 1 that looks random, equal on each visit. */
const scattered = (seed: number) => {
  const value = Math.sin(seed * 12.9898) * 43758.5453
  return value - Math.floor(value)
}

/** Share of the slots that are lit, and of those that shine slowly. */
const LIT = 0.72
const SHINING = 0.2

/** The mark drawn large: a barn whose storeys are the units of a rack, with a light for each guest. */
function BarnArt() {
  return (
    <svg
      viewBox="0 0 800 900"
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-0 size-full"
      aria-hidden
    >
      <defs>
        <clipPath id="roof">
          <polygon points={ROOF} />
        </clipPath>
      </defs>
      <g clipPath="url(#roof)">
        {Array.from({ length: 19 }, (_, row) => (
          <rect
            key={row}
            x={CENTRE - 240}
            y={196 + row * 13.2}
            width={480}
            height={10}
            fill={`color-mix(in oklch, var(--accent-solid) ${100 - row * 3}%, var(--surface-sunken))`}
          />
        ))}
      </g>
      {Array.from({ length: UNITS }, (_, unit) => (
        <Unit key={unit} index={unit} y={EAVES + unit * UNIT_STEP} />
      ))}
      <path
        d={`M80 ${EAVES + UNITS * UNIT_STEP}H720`}
        stroke="var(--line-strong)"
        strokeWidth={2}
        strokeLinecap="round"
      />
    </svg>
  )
}

const Unit = ({ index, y }: { index: number; y: number }) => (
  <g>
    <rect
      x={CENTRE - 224}
      y={y}
      width={448}
      height={UNIT_HEIGHT}
      rx={5}
      fill="var(--surface-raised)"
      stroke="var(--line)"
    />
    <circle cx={CENTRE - 206} cy={y + UNIT_HEIGHT / 2} r={4} fill="var(--accent-text)" />
    {Array.from({ length: SLOTS }, (_, slot) => {
      const chance = scattered(index * SLOTS + slot + 1)
      const isLit = chance < LIT
      const shines = chance < SHINING
      return (
        <rect
          key={slot}
          x={CENTRE - 188 + slot * SLOT_STEP}
          y={y + 9}
          width={SLOT_WIDTH}
          height={14}
          rx={2.5}
          fill={isLit ? 'var(--accent-text)' : 'var(--surface-skeleton)'}
          opacity={isLit ? 0.25 + scattered(slot * 31 + index * 7) * 0.6 : 1}
          className={shines ? 'slow-light' : undefined}
          style={shines ? { animationDelay: `${-chance * 40}s` } : undefined}
        />
      )
    })}
  </g>
)

/** Heading with the silo's name. */
export const SiloHeading = ({ silo }: { silo: string }) => (
  <div className="mb-8 flex items-center gap-3">
    <Identicon name={silo} size={48} />
    <div className="min-w-0">
      <div className="text-xs text-tertiary">Silo</div>
      <h1 className="truncate text-2xl font-semibold tracking-[-0.022em]">{silo}</h1>
    </div>
  </div>
)
