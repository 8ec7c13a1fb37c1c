import type { Host, HostFinding } from '@steading/api/client'
import {
  HOST_CLOCK_LOOK_MS,
  hostCheckNames,
  hostChecks,
  type HostCheckOutcome,
} from '@steading/api/rules'
import { Card } from '../../ui/card.tsx'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { DateTime } from '../../ui/time.tsx'

const looks: Record<HostCheckOutcome, { tone: StateTone; word: string }> = {
  passed: { tone: 'works', word: 'Passed' },
  warning: { tone: 'attention', word: 'Warning' },
  failed: { tone: 'failed', word: 'Failed' },
}

/** The outcome of a check; without a finding, why there is none. */
function Outcome({ finding, checking }: { finding?: HostFinding; checking: boolean }) {
  if (finding) {
    const { tone, word } = looks[finding.outcome]
    return <StateBadge tone={tone}>{word}</StateBadge>
  }
  return <StateBadge tone="off">{checking ? 'Waiting' : 'Not checked'}</StateBadge>
}

/** The checks of a host in their order, with the results of the last time. */
export function ChecksCard({ findings, checking, timeChecked, nextAddress, state }: Host) {
  const found = new Map(findings.map((finding) => [finding.check, finding]))
  const isClockLookedAt = state === 'in_service' && !nextAddress
  return (
    <Card
      title="Checks"
      description={
        timeChecked ? (
          <>
            {nextAddress && 'At the new address, '}
            {nextAddress ? 'ended' : 'Ended'} <DateTime date={timeChecked} />
            {isClockLookedAt &&
              `. The clock is looked at every ${HOST_CLOCK_LOOK_MS / 60_000} minutes`}
          </>
        ) : (
          'The first checks take up to two minutes'
        )
      }
      actions={
        checking && (
          <StateBadge tone="changing" transitional>
            Checking
          </StateBadge>
        )
      }
    >
      <ol aria-label="Checks" aria-busy={checking}>
        {hostChecks.map((check) => {
          const finding = found.get(check)
          return (
            <li
              key={check}
              className="flex flex-col gap-x-4 gap-y-1 px-4 py-2.5 not-last:border-b sm:flex-row"
            >
              <div className="flex w-full shrink-0 items-center justify-between gap-3 sm:w-60 sm:justify-start">
                <span className="font-medium sm:w-28">{hostCheckNames[check]}</span>
                <Outcome finding={finding} checking={checking} />
              </div>
              <div className="min-w-0 flex-1 wrap-anywhere">
                {finding && (
                  <>
                    <p className={finding.outcome === 'passed' ? 'text-secondary' : undefined}>
                      {finding.detail}
                    </p>
                    {finding.remedy && <p className="text-secondary">{finding.remedy}.</p>}
                  </>
                )}
              </div>
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
