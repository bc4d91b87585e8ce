import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["build/", "node_modules/", "data/", ".cache/", "test-results/", "playwright-report/"] },
  js.configs.recommended,
  ...ts.configs.strict,
  {
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        fetch: "readonly",
        setTimeout: "readonly",
        clearTimeout: "readonly",
      },
    },
    rules: {
      "no-undef": "off",
      eqeqeq: "error",
      "no-console": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-restricted-syntax": [
        "error",
        {
          selector: ":matches(:function, TSFunctionType) > Identifier.params[name='has']",
          message: "Call the dependencies of a function `deps`.",
        },
        {
          selector:
            ":matches(SpreadElement, JSXSpreadAttribute) > :matches(ObjectExpression, ArrayExpression)",
          message:
            "Write a literal out, one property or element a line; spread only what has a name or a condition.",
        },
      ],
      "no-restricted-properties": [
        "error",
        {
          object: "process",
          property: "env",
          message: "app/env.server.ts is the only reader of the environment.",
        },
      ],
    },
  },
  {
    files: ["app/**/*.tsx", "app/**/use-*.ts"],
    plugins: { "react-hooks": reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  {
    files: ["app/routes/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          name: "@remix-run/node",
          importNames: ["redirect"],
          message: "Use seeOther from ~/http/redirects.server.",
        },
      ],
    },
  },
  {
    files: ["scripts/**", "tests/**", "server/**/*.test.*", "*.config.{js,ts}", "app/env.server.ts"],
    rules: { "no-console": "off", "no-restricted-properties": "off" },
  },
  {
    files: ["**/*.test.*", "tests/**"],
    rules: { "@typescript-eslint/no-non-null-assertion": "off", "no-empty-pattern": "off" },
  },
);
