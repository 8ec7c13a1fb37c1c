import { useState } from 'react'
import { demoPeople, demoProvider } from '../session/demo.ts'
import { TextLink } from '../../ui/link.tsx'
import { DemoPersonText } from '../session/demo-person.tsx'
import { Spinner } from '../../ui/spinner.tsx'

/** Demo only: signs in as a sample user by one click. */
export function DemoPeopleList() {
  const demo = demoPeople()
  const [chosen, setChosen] = useState<string>()
  const provider = demoProvider()
  if (!demo) return null
  return (
    <>
      <h2 className="label mb-2 text-tertiary">Try the demo as</h2>
      <ul aria-label="People of the demo" className="mb-3 overflow-hidden rounded-card border">
        {demo.people.map((person) => (
          <li key={person.name} className="border-b last:border-b-0">
            <button
              type="button"
              aria-disabled={chosen !== undefined || undefined}
              onClick={() => {
                if (chosen) return
                setChosen(person.name)
                void demo.become(person.name)
              }}
              className="focus-inset flex w-full items-center gap-3 px-3 py-2 hover:bg-hover"
            >
              <DemoPersonText {...person} />
              {chosen === person.name && <Spinner />}
            </button>
          </li>
        ))}
      </ul>
      {provider && (
        <p className="mb-6">
          <TextLink
            to="/login/$silo/saml/$provider"
            params={{ silo: provider.silo, provider: provider.name }}
          >
            Try an identity provider
          </TextLink>
        </p>
      )}
    </>
  )
}
