import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useCapability } from '../data/capabilities.ts'
import { ownPasswordQuery } from '../data/session.ts'
import { PasswordNotice } from '../identity/session/password-notice.tsx'
import { CertificateNotice } from './certificate-notice.tsx'
import { rememberRoom, roomOf } from '../page/room.ts'

/** Notices that stay until something is done, in bars above the page. */
export default function StandingNotices() {
  const supported = useCapability('ownPassword')
  const { isFetched } = useQuery({ ...ownPasswordQuery, enabled: supported })
  const isKnown = isFetched || !supported
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isKnown) return
    const observer = new ResizeObserver(() => rememberRoom('notices', root.current!.offsetHeight))
    observer.observe(root.current!)
    return () => observer.disconnect()
  }, [isKnown])
  return (
    <div ref={root} style={{ minHeight: isKnown ? undefined : roomOf('notices') }}>
      <PasswordNotice />
      <CertificateNotice />
    </div>
  )
}
