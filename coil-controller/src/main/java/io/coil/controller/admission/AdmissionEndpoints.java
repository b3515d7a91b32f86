package io.coil.controller.admission;

import io.coil.controller.Controller;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The paths of the webhook. */
@RestController
public final class AdmissionEndpoints {
    private final Admissions admissions;

    public AdmissionEndpoints(Controller controller, KubeApi api, Timeline timeline) {
        this.admissions = new Admissions(controller.view(), api, timeline);
    }

    @PostMapping(Admissions.MUTATE_POOL)
    ResponseEntity<String> mutatePool(@RequestBody String review) {
        return answer(Admissions.MUTATE_POOL, review);
    }

    @PostMapping(Admissions.VALIDATE_POOL)
    ResponseEntity<String> validatePool(@RequestBody String review) {
        return answer(Admissions.VALIDATE_POOL, review);
    }

    @PostMapping(Admissions.VALIDATE_BLOCK)
    ResponseEntity<String> validateBlock(@RequestBody String review) {
        return answer(Admissions.VALIDATE_BLOCK, review);
    }

    @PostMapping(Admissions.VALIDATE_NODE)
    ResponseEntity<String> validateNode(@RequestBody String review) {
        return answer(Admissions.VALIDATE_NODE, review);
    }

    @PostMapping(Admissions.VALIDATE_COLLECTION)
    ResponseEntity<String> validateCollection(@RequestBody String review) {
        return answer(Admissions.VALIDATE_COLLECTION, review);
    }

    private ResponseEntity<String> answer(String path, String review) {
        Admissions.Answer answer = admissions.answer(path, review);
        ResponseEntity.BodyBuilder reply = ResponseEntity.status(answer.status());
        return answer.status() == 200
                ? reply.contentType(MediaType.APPLICATION_JSON).body(answer.body())
                : reply.body(answer.body());
    }
}
