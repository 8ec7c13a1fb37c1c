import type { Overview } from '@steading/api/client'
import { counted } from '@steading/api/rules'
import { linkTo } from '../../data/addresses.ts'
import { TextLink } from '../../ui/link.tsx'
import { StateShape } from '../../ui/state-badge.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { severityTones } from '../issues/open-issues.ts'
import { Panel, Section } from './section.tsx'

type AttentionProps = { attention: NonNullable<Overview['attention']> }

/** Issues, the worst first. */
export function Attention({ attention }: AttentionProps) {
  const { items, critical, warning, more } = attention
  const hidden = critical + warning - items.length
  const counts = [critical && `${critical} critical`, warning && counted(warning, 'warning')]
  return (
    <Section
      title="Needs attention"
      aside={
        <span className="text-tertiary tabular-nums">{counts.filter(Boolean).join(', ')}</span>
      }
    >
      <Panel>
        <ul className="divide-y divide-line">
          {items.map(({ id, severity, sentence, path, next, timeBegan }) => (
            <li key={id} className="flex gap-3 px-4 py-3">
              <StateShape tone={severityTones[severity]} />
              <div className="min-w-0 flex-1">
                <span className="sr-only">{severity}: </span>
                <TextLink
                  {...linkTo(path)}
                  className="font-medium text-primary! decoration-transparent! wrap-anywhere hover:decoration-current!"
                >
                  {sentence}
                </TextLink>
                {next && <div className="text-secondary">{next}</div>}
              </div>
              {timeBegan && <TimeAgo date={timeBegan} caption="Began" className="text-tertiary" />}
            </li>
          ))}
        </ul>
        {(hidden > 0 || more) && (
          <p className="border-t px-4 py-2.5 text-tertiary">
            {hidden > 0 ? `and ${hidden}${more ? ' or more' : ''} others` : 'and others'}
          </p>
        )}
      </Panel>
    </Section>
  )
}
