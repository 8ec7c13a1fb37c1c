import { Quantity } from '../../ui/text.tsx'

/** With `aligned`, the numbers of a column end in line, whatever the unit. */
export const VCpus = ({ count, aligned = false }: { count: number; aligned?: boolean }) => (
  <Quantity
    value={count}
    unit={count === 1 ? 'vCPU' : 'vCPUs'}
    unitClass={aligned ? 'inline-block min-w-10 text-start' : undefined}
  />
)
