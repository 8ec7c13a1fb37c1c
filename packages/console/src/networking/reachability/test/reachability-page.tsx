import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { CodeXml, Route } from 'lucide-react'
import { asCode } from '../../../workspace/as-code/as-code.tsx'
import { call } from '../../../workspace/as-code/steps.ts'
import { messageOf } from '../../../data/errors.ts'
import { QueryError } from '../../../page/query-error.tsx'
import { projectNetworkQuery } from '../../topology/queries.ts'
import { Topology } from '../../topology/topology.tsx'
import { ErrorBanner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { showCode } from '../../../ui/confirm.tsx'
import { DocsPopover, PageHeader } from '../../../ui/page-header.tsx'
import { AnswerView } from './answer-view.tsx'
import { useAnswer } from '../queries.ts'
import { questionOf } from '../question.ts'
import type { QuestionSearch } from '../search.ts'
import { RealPacket } from './real-packet.tsx'
import { QuestionForm } from './question-form.tsx'
import { samePage } from '../../../data/addresses.ts'

const route = '/shell/projects-crumb/projects/$project/reachability'

export function ReachabilityPage() {
  const { project } = useParams({ from: route })
  const { job: _job, history: _history, ...search } = useSearch({ from: route })
  const navigate = useNavigate()
  const { answer, error, refetch } = useAnswer(project, search)
  const args = questionOf(project, search)
  return (
    <>
      <PageHeader title="Reachability" icon={<Route strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="reachability"
          summary="Tests whether a packet gets from one end to the other and its answer back, and shows the firewall rules, routes, gateways and translations on its path. It is computed from the configuration. Where instances are real, a real packet can be sent as well, to compare."
        />
      </PageHeader>
      <div className="grid flex-1 gap-x-6 lg:grid-cols-[minmax(340px,400px)_1fr]">
        <div className="flex flex-col gap-6 px-(--gutter) pb-8 lg:pe-0">
          <QuestionForm
            project={project}
            search={search}
            onAsk={(asked: QuestionSearch) => void navigate(samePage(asked))}
          >
            {args && (
              <Button
                variant="ghost"
                icon={<CodeXml size={16} strokeWidth={1.5} aria-hidden />}
                onClick={() =>
                  showCode({
                    title: 'Test reachability',
                    code: () => asCode(call('reachabilityTest', args)),
                  })
                }
              >
                Show as code
              </Button>
            )}
          </QuestionForm>
          {answer ? (
            <>
              <QueryError error={error} onRetry={refetch} />
              <AnswerView project={project} search={search} answer={answer}>
                {args && answer.source !== null && (
                  <RealPacket key={JSON.stringify(args)} project={project} question={args} />
                )}
              </AnswerView>
            </>
          ) : (
            <ErrorBanner messages={error ? [messageOf(error)] : []} />
          )}
        </div>
        <div className="top-(--shell-top) flex flex-col lg:sticky lg:h-[calc(100dvh-var(--shell-top))]">
          <Topology query={projectNetworkQuery(project)} project={project} answer={answer} />
        </div>
      </div>
    </>
  )
}
