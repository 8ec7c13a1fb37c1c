import { useState } from 'react'
import { useChangeReasons } from '../../forms/reason-field.tsx'
import { QueryTabs } from '../../ui/tabs.tsx'
import { CodeText } from './code-text.tsx'
import { cli, COMMAND_LINE_PATH } from './cli.ts'
import { curl } from './curl.ts'
import type { Language } from './highlight.ts'
import { findCached } from './find-cached.ts'
import type { Code, Step } from './steps.ts'
import { terraform } from './terraform.ts'
import { typescript } from './typescript.ts'

const languages: { id: Language; label: string; write: (steps: readonly Step[]) => Code }[] = [
  { id: 'curl', label: 'curl', write: (steps) => curl(steps, location.origin) },
  { id: 'cli', label: 'CLI', write: (steps) => cli(steps, location.origin) },
  { id: 'typescript', label: 'TypeScript', write: (steps) => typescript(steps, location.origin) },
  { id: 'terraform', label: 'Terraform', write: (steps) => terraform(steps, findCached) },
]

const KEY = 'code-language'

function keptChoice(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** An action as code in the chosen language; the last choice is stored. */
export default function CodePanel({ steps }: { steps: readonly Step[] }) {
  const [selected, setSelected] = useState(keptChoice)
  const { id, write } = languages.find((language) => language.id === selected) ?? languages[0]!
  const reasons = useChangeReasons()
  const code = write(steps.map((step) => ({ ...step, reason: reasons.get(step.operation) })))
  return (
    <div className="relative flex min-h-0 flex-col">
      <QueryTabs
        label="Language"
        tabs={languages.map((language) => ({
          id: language.id,
          label: language.label,
          content: language.id === id && <CodeText code={code} language={id} />,
        }))}
        selected={id}
        onSelect={(next) => {
          setSelected(next)
          localStorage.setItem(KEY, next)
        }}
        panelClass="flex min-h-0 flex-col"
      />
      {/* In a tab of its own, so that the form keeps its input. */}
      <a
        className="link px-(--gutter) pb-2 text-xs"
        href={COMMAND_LINE_PATH}
        target="_blank"
        rel="noreferrer"
      >
        How to set up the command line tool
      </a>
    </div>
  )
}
