/** Technical details of an error, such as the JSON of a failed validation. */
export const ErrorDetails = ({ text }: { text: string }) => (
  <details className="mt-2 text-start text-xs">
    <summary className="cursor-pointer">Details</summary>
    <pre className="mt-1 max-h-60 overflow-auto font-mono whitespace-pre-wrap wrap-anywhere">
      {text}
    </pre>
  </details>
)
