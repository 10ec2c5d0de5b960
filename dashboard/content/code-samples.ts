/** Placeholder of the secret key in the samples. */
export const keyPlaceholder = 'YOUR_SECRET_KEY'

/**
 * The public send call in five languages; `baseUrl` without a trailing slash. They work as pasted with the `key` of
 * a mailbox: tests run and parse them unchanged.
 */
export function codeSamples(
  baseUrl: string,
  key: string = keyPlaceholder,
): readonly { language: string; code: string }[] {
  const url = `${baseUrl}/api/send-mail/${key}`
  return [
    {
      language: 'curl',
      code: `curl -X POST ${url} \\
  -H 'Content-Type: application/json' \\
  -d '{
    "recipient_list": ["ada@example.com", "bo@example.com"],
    "subject": "Hello {{name}}",
    "content": "<p>Dear {{name}}, the doors open at six.</p>",
    "is_html": true,
    "context": { "name": "friend" }
  }'`,
    },
    {
      language: 'javascript',
      code: `const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    recipient_list: ['ada@example.com', 'bo@example.com'],
    subject: 'Hello {{name}}',
    content: '<p>Dear {{name}}, the doors open at six.</p>',
    is_html: true,
    context: { name: 'friend' },
  }),
})
console.log(await answer.json())`,
    },
    {
      language: 'python',
      code: `import requests

answer = requests.post(
    "${url}",
    json={
        "recipient_list": ["ada@example.com", "bo@example.com"],
        "subject": "Hello {{name}}",
        "content": "<p>Dear {{name}}, the doors open at six.</p>",
        "is_html": True,
        "context": {"name": "friend"},
    },
)
print(answer.json())`,
    },
    {
      language: 'php',
      code: `<?php
$call = curl_init('${url}');
curl_setopt_array($call, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode([
        'recipient_list' => ['ada@example.com', 'bo@example.com'],
        'subject' => 'Hello {{name}}',
        'content' => '<p>Dear {{name}}, the doors open at six.</p>',
        'is_html' => true,
        'context' => ['name' => 'friend'],
    ]),
]);
echo curl_exec($call);`,
    },
    {
      language: 'C#',
      code: `using System.Net.Http.Json;

using var client = new HttpClient();
var answer = await client.PostAsJsonAsync("${url}", new
{
    recipient_list = new[] { "ada@example.com", "bo@example.com" },
    subject = "Hello {{name}}",
    content = "<p>Dear {{name}}, the doors open at six.</p>",
    is_html = true,
    context = new { name = "friend" },
});
Console.WriteLine(await answer.Content.ReadAsStringAsync());`,
    },
  ]
}
