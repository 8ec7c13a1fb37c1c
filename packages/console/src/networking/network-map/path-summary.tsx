import type { Reachability } from '@steading/api/client'
import { Check, OctagonX, Route } from 'lucide-react'
import type { QuestionSearch } from '../reachability/search.ts'
import { sentenceOf } from '../reachability/sentence.ts'
import { LinkButton } from '../../ui/button.tsx'
import { anySearch, samePage } from '../../data/addresses.ts'

type Props = { project: string; search: QuestionSearch; answer: Reachability | undefined }

/** The sentence about the path shown in the map, with a link to change the question. */
export const PathSummary = ({ project, search, answer }: Props) => (
  <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-(--gutter) pb-4">
    {answer && (
      <p role="status" className="flex min-w-0 flex-1 basis-72 gap-2">
        {answer.reachable ? (
          <Check
            size={16}
            strokeWidth={2}
            aria-hidden
            className="mt-0.5 shrink-0 text-green-text"
          />
        ) : (
          <OctagonX
            size={16}
            strokeWidth={2}
            aria-hidden
            className="mt-0.5 shrink-0 text-red-text"
          />
        )}
        <span className="min-w-0 wrap-anywhere">{sentenceOf(search, answer)}</span>
      </p>
    )}
    <LinkButton
      size="sm"
      to="/projects/$project/reachability"
      params={{ project }}
      search={anySearch(search)}
      icon={<Route size={14} strokeWidth={1.5} aria-hidden />}
    >
      {answer ? 'See each step' : 'Test reachability'}
    </LinkButton>
    {answer && (
      <LinkButton size="sm" variant="ghost" {...samePage({})}>
        Hide the path
      </LinkButton>
    )}
  </div>
)
