import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Mono } from '../../ui/text.tsx'
import { demoPassword } from './demo-password.ts'

const USERNAME = 'admin'

type DemoHintProps = { onFill: (credentials: { username: string; password: string }) => void }

/** In the demo: how to sign in. */
export const DemoHint = ({ onFill }: DemoHintProps) =>
  demoPassword && (
    <Banner
      variant="info"
      title="This is a demo"
      className="mb-4"
      action={
        <Button size="sm" onClick={() => onFill({ username: USERNAME, password: demoPassword! })}>
          Fill in
        </Button>
      }
    >
      Sign in as <Mono>{USERNAME}</Mono> with the password <Mono>{demoPassword}</Mono>.
    </Banner>
  )
