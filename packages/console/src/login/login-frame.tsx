import type { ReactNode } from 'react'
import { Logo } from '../ui/logo.tsx'

/** Art on the left half, a narrow column on the right; on small screens only the column. */
export function LoginFrame({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh min-[800px]:grid-cols-2">
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

/** Rows of gables, the nearer the brighter: a yard seen from above the roofs. */
function GableArt() {
  const rows = [
    { y: 150, step: 120, opacity: 0.22 },
    { y: 270, step: 170, opacity: 0.4 },
    { y: 430, step: 240, opacity: 0.7 },
    { y: 640, step: 340, opacity: 1 },
  ]
  return (
    <svg
      viewBox="0 0 800 900"
      preserveAspectRatio="xMidYMax slice"
      className="absolute inset-0 size-full"
      aria-hidden
    >
      {rows.map(({ y, step, opacity }, row) => (
        <g key={y} opacity={opacity}>
          {Array.from({ length: Math.ceil(1000 / step) + 1 }, (_, index) => (
            <Gable
              key={index}
              x={index * step - (row % 2 ? step / 2 : step * 0.15) - 40}
              y={y}
              width={step * 0.82}
            />
          ))}
        </g>
      ))}
    </svg>
  )
}

function Gable({ x, y, width }: { x: number; y: number; width: number }) {
  const half = width / 2
  const bar = half * 0.3
  const gap = half * 0.09
  const slope = (from: number, to: number) =>
    `${x + half - to} ${y + to} L${x + half - from} ${y + from} L${x + half + from} ${y + from} L${x + half + to} ${y + to}`
  return (
    <g fill="var(--surface-page)" stroke="var(--accent-border)" strokeWidth="1">
      <path d={`M${slope(0, bar)}Z`} fill="var(--accent-solid)" stroke="none" />
      <path d={`M${slope(bar + gap, bar * 2 + gap)}Z`} fill="var(--accent-surface)" />
      <path d={`M${slope(bar * 2 + gap * 2, half)} L${x + width} ${y + 1000} L${x} ${y + 1000}Z`} />
    </g>
  )
}
