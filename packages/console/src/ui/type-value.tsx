import type { ReactNode } from 'react'
import { tooltip } from './tooltip.tsx'

/** What kind of thing something is, and which: a pair of badges. Without a value, a single one. */
export const TypeValue = ({ type, value }: { type: string; value?: ReactNode }) => (
  <span className="inline-flex h-5 max-w-full min-w-0 items-stretch rounded-sm border border-line-strong align-middle text-xs whitespace-nowrap">
    <span className="flex items-center rounded-l-sm bg-raised px-1.5 text-secondary">{type}</span>
    {value !== undefined && (
      <>
        {' '}
        <span
          className="block min-w-0 truncate border-l border-line-strong px-1.5 leading-[18px] text-primary"
          {...tooltip(typeof value === 'string' ? value : undefined, 'truncated')}
        >
          {value}
        </span>
      </>
    )}
  </span>
)
