import { useState } from 'react'
import { CodeText } from '../../workspace/as-code/code-text.tsx'
import { Card } from '../../ui/card.tsx'
import { QueryTabs } from '../../ui/tabs.tsx'
import { verifyExamples } from './verify-code.ts'

/** Explains how a receiver verifies the origin of a delivery. */
export function VerifyCard() {
  const [language, setLanguage] = useState(verifyExamples[0]!.id)
  return (
    <Card
      title="Verify deliveries"
      description="Anyone can send requests to the URL of a receiver. Those from here carry an HMAC-SHA256 of the body for each secret."
    >
      <div className="relative bg-sunken">
        <QueryTabs
          label="Language"
          selected={language}
          onSelect={(id) => setLanguage(id as typeof language)}
          tabs={verifyExamples.map(({ id, label, text }) => ({
            id,
            label,
            content: id === language && <CodeText code={{ text, notes: [] }} language={id} />,
          }))}
        />
      </div>
    </Card>
  )
}
