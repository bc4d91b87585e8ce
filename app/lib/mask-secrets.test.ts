import { describe, expect, it } from "vitest";
import { maskBeginning, maskSecrets, SHAPES } from "./mask-secrets";
import { measureCpuMs } from "../../tests/factories/cpu-time";
import { createRandom } from "./random";

describe("masking secrets", () => {
  // C43
  it.each([
    // URLs
    ["redis://default:s3cret@cache.example.com:6379", "redis://***:***@cache.example.com:6379"],
    ["rediss://:s3cret@cache.example.com/2", "rediss://***:***@cache.example.com/2"],
    ["redis://ops@127.0.0.1:6379", "redis://***:***@127.0.0.1:6379"],
    ["REDIS://OPS:S3CRET@CACHE:6379", "REDIS://***:***@CACHE:6379"],
    ["redis://ops:p%40s3cret%2Fword@[::1]:6379/0", "redis://***:***@[::1]:6379/0"],
    ["redis://ops:p@s3cret@cache:6379", "redis://***:***@cache:6379"],
    ["redis://ops:p@s3/cret?a#b@cache:6379", "redis://***:***@cache:6379"],
    ['redis://ops:p"s3cret@cache:6379', "redis://***:***@cache:6379"],
    ["redis://ops:p\\s3cret@cache:6379", "redis://***:***@cache:6379"],
    ["redis://a:s3cret@h1:1,redis://b:s3cret@h2:2", "redis://***:***@h2:2"],
    ["http://h1/x,redis://b:s3cret@h2:2", "http://h1/x,redis://***:***@h2:2"],
    ["redis://ops:a://s3cret@h", "redis://***:***@h"],
    ["//ops:s3cret@cache:6379", "//***:***@cache:6379"],
    ["postgres://ops:s3cret@db/desk?sslmode=require", "postgres://***:***@db/desk?sslmode=require"],
    ["amqp://guest:s3cret@queue/%2F", "amqp://***:***@queue/%2F"],
    ["smtp://ops:s3cret@mail.example.com:587", "smtp://***:***@mail.example.com:587"],
    // Queries
    ["redis://h:6379/0?password=s3cret&token=s3cret", "redis://h:6379/0?password=***&token=***"],
    ["redis://u:p@h/0?password=s3@cret&db=1", "redis://***:***@h/0?password=***&db=1"],
    ['https://h/?token=*s3"cr\\et', "https://h/?token=***"],
    ["https://h/?a=1&API_KEY=s3cret#top", "https://h/?a=1&API_KEY=***#top"],
    ["https://h/?Password=s3cret;s3cret,s3cret&x=1", "https://h/?Password=***&x=1"],
    // StackExchange.Redis and Azure
    ["h:6380,password=s3cret,ssl=True", "h:6380,password=***,ssl=True"],
    [
      "h1:6380,h2:6380,PASSWORD=s3cret+/8=,abortConnect=False",
      "h1:6380,h2:6380,PASSWORD=***,abortConnect=False",
    ],
    ["h:6380,user=s3cret,password=s3cret", "h:6380,user=***,password=***"],
    ["h:6380, password = s3cret, ssl=True", "h:6380, password = ***, ssl=True"],
    ["h:6380,ssl=True,password=s3&cret=1,s3cret", "h:6380,ssl=True,password=***"],
    ["h:6379,password=s3;cret,ssl=True", "h:6379,password=***,ssl=True"],
    ["h:6379,password=s3,c;ret;s3cret;,ssl=True", "h:6379,password=***,ssl=True"],
    // Pairs
    ["password=s3cret", "password=***"],
    ["pwd=s3cret;user=s3cret", "pwd=***;user=***"],
    [
      "Server=h;User ID=s3cret;Password=my s3cret==;Database=desk",
      "Server=h;User ID=***;Password=***;Database=desk",
    ],
    ['Server=h;Password="s3;c=ret";Database=desk', "Server=h;Password=***;Database=desk"],
    ["Server=h;Uid=s3cret;Pwd='s3;c=ret';", "Server=h;Uid=***;Pwd=***;"],
    [
      "host=h port=5432 user=s3cret password=s3cret sslmode=require",
      "host=h port=5432 user=*** password=*** sslmode=require",
    ],
    ["REDIS_PASSWORD=s3cret npm start", "REDIS_PASSWORD=*** npm start"],
    ["AccountKey=s3cret==;client_secret=s3cret", "AccountKey=***;client_secret=***"],
    // Without a scheme
    ["ops:s3cret@cache:6379", "***:***@cache:6379"],
    [":s3cret@cache:6379", "***:***@cache:6379"],
    ["ops:s3@cret@tcp(db:3306)/desk", "***:***@tcp(db:3306)/desk"],
    // In sentences, and in JSON within them
    [
      "cannot reach redis://ops:s3cret@cache:6379, gave up",
      "cannot reach redis://***:***@cache:6379, gave up",
    ],
    ["no answer of h:6380,password=s3cret,ssl=True today", "no answer of h:6380,password=***,ssl=True today"],
    ['{"host":"h","password":"s3\\"cret","port":1}', '{"host":"h","password":"***","port":1}'],
    [
      '{"said":"{\\"password\\": \\"s3cret\\",\\"port\\":1}"}',
      '{"said":"{\\"password\\": \\"***\\",\\"port\\":1}"}',
    ],
  ])("%s becomes %s", (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
    expect(maskSecrets(masked)).toBe(masked);
  });

  // C43
  it.each([
    "redis://127.0.0.1:6379",
    "redis:6379,ssl=True,abortConnect=False",
    "localhost",
    "https://example.com/@ada",
    "http://localhost:3000/login?email=ada@example.com",
    "Mail to ada@example.com: 250 OK",
    "The password must have at least 6 characters",
    "bypass=1 tokens=5 password=",
    "",
  ])("%s is unchanged", (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  // C43
  it.each(SHAPES)(
    "the example of the $name is masked by its own pattern",
    ({ example, sign, pattern, mask }) => {
      expect(example).toContain(sign);
      const masked =
        typeof mask === "string" ? example.replace(pattern, mask) : example.replace(pattern, mask);
      expect(masked).not.toContain("s3cret");
      expect(masked).toBe(maskSecrets(example));
    },
  );

  // C52
  it.each([
    ["a login", "redis://ops:s3cret-s3cret@cache"],
    ["a login longer than what is read", `redis://ops:${"s3cret-".repeat(300)}@cache`],
    ["a query parameter", `https://h/?token=${"s3cret-".repeat(300)}`],
    ["a quoted pair", `Password="${"s3cret ".repeat(300)}"`],
    ["a pair in single quotes", `Pwd='${"s3cret ".repeat(300)}'`],
    ["a pair with spaces", `Password=${"s3cret ".repeat(300)};`],
    ["a field of JSON in JSON", `{\\"password\\":\\"${"s3cret ".repeat(300)}\\"}`],
    ["a pair", "h:6380,password=s3cret-s3cret,ssl=True"],
    ["a field of JSON", `{"password":"${"s3cret ".repeat(300)}"}`],
  ])("%s at the end of a beginning is masked as well", (_, secret) => {
    const text = `${"x ".repeat(100)}${secret} ${"y ".repeat(2000)}`;
    for (let length = 0; length < 300; length += 1) {
      const masked = maskBeginning(text, length);
      expect(masked.length).toBeLessThanOrEqual(length);
      expect(masked, masked).not.toMatch(/s3c|s3$/);
    }
  });

  // C52
  it("a beginning that shrinks shows no secret of what follows", () => {
    const text = `password=${"a".repeat(3000)} `.repeat(3) + `token="${"s3cret ".repeat(1000)}"`;
    expect(maskBeginning(text, 9100)).not.toContain("s3cret");
    expect(maskBeginning("h:1,password=s3cret,ssl=True", 8192)).toBe("h:1,password=***,ssl=True");
  });

  // C43
  it("known secrets are masked everywhere", () => {
    expect(maskBeginning(`${"x".repeat(98)}s3cret${"y".repeat(9000)}`, 100, ["s3cret"])).toBe(
      `${"x".repeat(98)}**`,
    );
    expect(maskSecrets("535 s3cret of ops", ["s3cret", "", "ops"])).toBe("535 *** of ***");
  });

  // C43
  it("a log line stays JSON, and its last secret is masked, whatever its other texts", () => {
    const random = createRandom(43);
    const pick = <Part>(list: readonly Part[]) => list[Math.floor(random() * list.length)] as Part;
    const characters = Array.from("@h\"'\\\n ,;&?={}[]:xé\u2028");
    const parts = characters.concat(
      "redis://",
      "u:",
      "password=",
      "pwd =",
      '{"password":"',
      '\\"token\\":\\"',
    );
    for (let time = 0; time < 5000; time += 1) {
      const text = Array.from({ length: Math.floor(random() * 14) }, () => pick(parts)).join("");
      const shape = pick(["redis://u:s3cret@h", "h:1,password=s3cret,ssl=True", ";pwd=s3cret;"]);
      const line = `${JSON.stringify({ level: 30, a: text, b: { [text]: [text, ""] }, msg: `${text} ${shape}` })}\n`;
      const masked = maskSecrets(line);
      expect(() => JSON.parse(masked) as unknown, line).not.toThrow();
      expect(masked, line).not.toContain("s3cret");
    }
  });

  // C43
  it.each([
    ["schemes", "a://"],
    ["slashes", "/"],
    ["logins without an end", "a://b:c"],
    ["logins", "a://b:c@"],
    ["keys", "password="],
    ["pairs", "token=a,"],
    ["quotes", 'secret="'],
    ["keys of JSON", 'password\\":\\"'],
    ["separators", "pwd=a, a a"],
    ["letters", "a"],
    ["backslashes", "\\"],
    ["semicolons and spaces", "pwd= ; "],
  ])("a megabyte of %s is masked in linear time", (_, part) => {
    const text = part.repeat(1_000_000 / part.length);
    expect(measureCpuMs(() => maskSecrets(`${text}@`))).toBeLessThan(1000);
  });
});
