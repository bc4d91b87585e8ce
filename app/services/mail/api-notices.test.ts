import { describe, expect, it } from "vitest";
import { reminderNotice, taskAssignmentNotice, userRemovalNotice } from "./api-notices";

const hostile = '</p><img src=x onerror="alert(1)">\r\nBcc: e@example.com';

describe("notification emails of the application", () => {
  it("remind of something, with its due date and a link", () => {
    const { subject, text, html } = reminderNotice({
      title: "Budget",
      message: "Two lines\nof it.",
      dueDate: "2026-12-31",
      link: "https://e.example/1",
    });
    expect(subject).toBe("Reminder: Budget");
    const due = "Due on Thursday, December 31, 2026.";
    const texts = ["This is a reminder of: Budget", due, "Two lines\nof it.", "https://e.example/1"];
    expect(text).toContain(texts.join("\n\n"));
    expect(html).toContain('href="https://e.example/1"');
    expect(html).toContain("Two lines<br>");
  });

  it("omit what was not given", () => {
    const { text } = reminderNotice({ title: "Budget" });
    expect(text).toMatch(/^This is a reminder of: Budget\n\n-+\n/);
    expect(taskAssignmentNotice({ title: "Budget" }).text).toMatch(/^You have a new task: Budget\n\n-+\n/);
    expect(userRemovalNotice({}).text).not.toMatch(/Reason|undefined/);
  });

  it("name a task and who assigned it", () => {
    const { subject, text } = taskAssignmentNotice({
      title: "Budget",
      assignedBy: "Ada",
      description: "All of it.",
    });
    expect(subject).toBe("New task: Budget");
    expect(text).toContain("Ada assigned a task to you: Budget");
    expect(text).toContain("All of it.");
  });

  it("name the tenant and the reason of a removal", () => {
    const { subject, text } = userRemovalNotice({ tenantName: "Acme", reason: "Project over" });
    expect(subject).toBe("You were removed from Acme on Confer");
    expect(text).toContain("Reason: Project over");
  });

  it.each(["evil.example/x", "www.evil", "evil。example", "a@evil.example"])(
    "omit the name %s, as if it had not been given (C42)",
    (name) => {
      expect(taskAssignmentNotice({ title: "Budget", assignedBy: name })).toEqual(
        taskAssignmentNotice({ title: "Budget" }),
      );
      expect(userRemovalNotice({ tenantName: name })).toEqual(userRemovalNotice({}));
    },
  );

  it.each([
    ["a reminder", reminderNotice({ title: hostile, message: hostile })],
    ["a task", taskAssignmentNotice({ title: hostile, description: hostile, assignedBy: hostile })],
    ["a removal", userRemovalNotice({ tenantName: hostile, reason: hostile })],
  ])("%s has no given text as header or HTML (C18)", (_, { subject, html }) => {
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img");
  });
});
