import {
  docsPages,
  realMachineCommands,
  realMachinesHelp,
  simulatedMeaning,
} from '@steading/api/rules'
import { useId } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { DocsLink } from '../ui/docs-links.tsx'

/** The commands that bring real machines; a part of empty lists, loaded on demand. */
export default function RealMachines() {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="mt-8 w-full max-w-2xl rounded-card border bg-raised p-4 text-start"
    >
      <h3 id={id} className="font-medium">
        Real machines
      </h3>
      <p className="mt-1 text-secondary">
        {simulatedMeaning} {realMachinesHelp}
      </p>
      <ul className="my-3 flex flex-col gap-2">
        {realMachineCommands.map((command) => (
          <li key={command} className="flex items-start gap-1 rounded-control bg-sunken p-2">
            <code className="min-w-0 flex-1 font-mono text-xs wrap-anywhere">{command}</code>
            <CopyButton text={command} />
          </li>
        ))}
      </ul>
      <DocsLink page={docsPages.realMachines}>More about real machines</DocsLink>
    </section>
  )
}
